"""One SQLite file: schema, event log, tables. The only place with SQL."""
