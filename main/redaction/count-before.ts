/** Binary search: the number of positions at the beginning for which `isBefore` is true. It must be false for all later ones. */
export function countBefore(length: number, isBefore: (at: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
