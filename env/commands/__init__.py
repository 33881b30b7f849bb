"""Commands of the command line that play, each imported only when it runs."""
