import type Database from 'better-sqlite3'

/** An open SQLite database. */
export type Connection = Database.Database

/** SQLite's class, which is imported when it is first needed: a type alone loads nothing. */
export type DatabaseClass = typeof Database
