/** Whether a value is an object with fields, such as one that JSON text contains. Lists and null are none. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
