/** A size in bytes as a column of a table. */
export const sizeColumn = (bytes: number): string =>
  (bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`).padStart(10)
