"""Commands of the command line that write what leaves the project, imported only when they run."""
