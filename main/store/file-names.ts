/** Files in the data folder. */
export const DATABASE_FILE = 'countersign.db'
export const SEARCH_FILE = 'search.db'
