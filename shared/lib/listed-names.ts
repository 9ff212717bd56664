/** The names for a sentence: `a, b`. If there are more than `most`, the others are only counted: `a, b and 3 more`. */
export function listedNames(names: readonly string[], most: number): string {
  const more = names.length - most
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ')
}
