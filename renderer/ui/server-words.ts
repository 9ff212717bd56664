import { counted } from './format.ts'

/** Where a model server on this computer answers, without what every address has: "127.0.0.1:11434". */
export function placeOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.host ?? baseUrl
}

/** "3 models", "no model yet". */
export function modelWords(count: number): string {
  return count === 0 ? 'no model yet' : counted(count, 'model')
}
