/** Where a prompt of ours has what the project says of itself: its documents, and what is kept in its memory. */
const DOCUMENTS = /^# Project instructions\n\nFrom the project's own files[\s\S]*^<\/document>$/m
const MEMORY = /^<memory>\n[\s\S]*^<\/memory>$/m

/** A system prompt's characters by where they come from. Of one that is not ours all is `prompt`. */
export function promptParts(system: string): { readonly prompt: number; readonly documents: number } {
  const documents = (DOCUMENTS.exec(system)?.[0].length ?? 0) + (MEMORY.exec(system.replace(DOCUMENTS, ''))?.[0].length ?? 0)
  return { prompt: system.length - documents, documents }
}
