const minus = '\u2212'

function scaled(count: number, unit: number, letter: string, fixed: boolean): string {
  const value = count / unit
  if (value >= 99.95) return `${Math.round(value)}${letter}`
  const text = value.toFixed(1)
  return `${fixed || !text.endsWith('.0') ? text : text.slice(0, -2)}${letter}`
}

/**
 * A count in a short form: `640`, `9.1k`, `41.2k`, `184k`, `1.2M`. `fixed` keeps the `.0` of `23.0k`, for columns with aligned decimal
 * points.
 */
export function shortCount(count: number, options: { readonly fixed?: boolean } = {}): string {
  const fixed = options.fixed ?? false
  const sign = count < 0 ? minus : ''
  const size = Math.abs(count)
  if (size < 1000) return `${sign}${Math.round(size)}`
  // From 999,500 on, thousands would be rounded up to 1000k.
  return sign + (size < 999_500 ? scaled(size, 1000, 'k', fixed) : scaled(size, 1_000_000, 'M', fixed))
}

/** A whole number with commas: `128,000`. `toLocaleString` would load ICU's tables, which adds 20 ms to the startup time. */
export function groupedCount(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/gu, ',')
}

/** The names for a sentence: `a, b`. If there are more than `most`, the others are only counted: `a, b and 3 more`. */
export function listedNames(names: readonly string[], most: number): string {
  const more = names.length - most
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ')
}

/** A size on disk, rounded up: `12 kB`, `6.1 MB`. */
export const sizeOnDisk = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
