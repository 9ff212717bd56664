/**
 * Stands in for the parts of the diff library that are never used and would be shipped otherwise (20 MB): other grammars than ours,
 * other themes, and engines in WASM, which our policy forbids. The build replaces them with this module; code that reaches it has a bug.
 */
export const bundledLanguages = {}
export const themes = { getTheme: (): undefined => undefined }
export const createOnigurumaEngine = never
export const codeToTokens = never
export const isSupportedLanguage = (): boolean => false
export class LiveTokenizer {
  constructor() {
    never()
  }
}

function never(): never {
  throw new Error('This part of the diff library is not shipped.')
}
