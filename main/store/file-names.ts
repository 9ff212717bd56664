/** Files in the data folder. */
export const DATABASE_FILE = 'countersign.db'
export const SEARCH_FILE = 'search.db'
/** Contains the layer of each session. Earlier versions named it after subagents, which had the only layers. */
export const LAYERS_FOLDER = 'subagents'
