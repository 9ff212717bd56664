/**
 * The JSON schemas of the built-in tools by name. Empty when the app runs from source; the build replaces this module, because making them
 * takes 20 ms of the start.
 */
export const BUILT_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {}
