/** Why a text cannot be put into a file as it stands (fault 13); null: it can. */
export function unwritable(text: string, argument: string): string | null {
  if (text.includes('\0')) return `${argument} holds a NUL character, which no text file has. Nothing was written.`
  if (text.isWellFormed()) return null
  return `${argument} holds half a character (a lone surrogate), which no file can store. Send the character whole. Nothing was written.`
}
