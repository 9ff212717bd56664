/** `wanted`, or where that is empty or taken the first of `wanted_2`, `wanted_3`, … that is not (`call_1`, … where nothing is wanted). */
export function freeId<Id extends string>(wanted: Id, isTaken: (id: string) => boolean): Id {
  const base = wanted === '' ? 'call' : wanted
  for (let count = 1; ; count++) {
    const id = count === 1 && wanted !== '' ? base : `${base}_${count}`
    if (!isTaken(id)) return id as Id
  }
}
