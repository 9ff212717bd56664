/**
 * The JSON schemas of the built-in tools by name. Empty when the app runs from source. The build replaces this module, because generating
 * the schemas takes 20 ms of startup.
 */
export const BUILT_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {}
