/** Returns the ids from `first` to `last`, both included: `P2-06`, `P2-07`, … */
const span = (kind: string, first: number, last = first): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => kind + String(first + at).padStart(2, '0'))

const criteria = (group: number, count: number): readonly string[] => span(`AC${group}.`, 1, count).map((id) => id.replace('.0', '.'))

/** The numbered requirements, decisions and traps for the agent, its providers, subagents and context. */
export const AGENT = [
  ...span('P2-', 6, 26),
  ...[span('S-', 1, 16), span('S-', 24, 28), span('S-', 32, 45)].flat(),
  ...[span('R-', 1, 10), span('R-', 27), span('R-', 45), span('R-', 71, 74)].flat(),
  ...span('L-', 1, 30),
  ...[span('D-', 16, 19), span('D-', 23, 24), span('D-', 28), span('D-', 30), span('D-', 39, 49), span('D-', 53)].flat(),
  ...[span('T-', 6), span('T-', 8, 9), span('T-', 13, 15)].flat(),
  ...[criteria(1, 8), criteria(2, 6), criteria(6, 4), criteria(7, 6), criteria(8, 4), criteria(9, 6), criteria(10, 4)].flat(),
  ...[criteria(11, 5), criteria(12, 3)].flat(),
]

/** The numbered requirements for the environment and the tools. */
export const ENVIRONMENT = [
  ...[span('P2-', 27, 55), span('P3-', 1, 39)].flat(),
  ...[span('R-', 11, 26), span('R-', 28, 34), span('S-', 17, 23), span('S-', 29, 31)].flat(),
  ...[span('D-', 1, 15), span('D-', 20, 22), span('D-', 25, 26), span('D-', 29), span('D-', 31, 39)].flat(),
  ...[span('D-', 46), span('D-', 48), span('D-', 50, 52)].flat(),
  ...[span('T-', 1, 5), span('T-', 7), span('T-', 10, 12), span('T-', 16, 22)].flat(),
]

/** Items that no single test can show, each with the reason. */
export const WITHOUT_TEST: Readonly<Record<string, string>> = {
  'R-07': 'rows of a comparison, each with a requirement of its own',
  'R-71': 'rows of a comparison, each with a requirement of its own',
  'L-01': 'superseded by D-39',
  'L-05': 'superseded by D-39',
  'L-06': 'superseded by D-39',
  'L-29': 'of a function that the agent does not use',
  'D-30': 'how many criteria there are',
  'D-39': 'which of two rules wins',
}
