import type Database from 'better-sqlite3'

/** An open SQLite database. */
export type Connection = Database.Database

/** SQLite's class, which is imported when it is first needed. Importing only its type loads nothing. */
export type DatabaseClass = typeof Database
