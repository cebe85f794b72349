"""The front door: the `workbench` command, one module a command."""

__version__ = "0.1.0"
