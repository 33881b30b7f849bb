"""What every family shares as an OpenEnv environment. Imported only when one is wanted."""
