/**
 * Replaces the parts of the diff library that are never used and would otherwise be shipped (20 MB): grammars and themes that Countersign
 * does not use, and engines in WASM, which its policy forbids. The build puts this module in their place. Code that reaches it has a bug.
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
