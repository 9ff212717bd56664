/** The words of a text as a list, for long lists of names. White space separates them. */
export const wordList = (text: string): readonly string[] => text.trim().split(/\s+/u)
