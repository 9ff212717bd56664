export type ReadNames = { readonly kind: 'names'; readonly names: readonly string[] } | { readonly kind: 'wrong'; readonly why: string }

/** Names of variables, each once, as somebody types them: between commas or blanks, `*` for any characters. Nothing typed: none. */
export function readNames(typed: string): ReadNames {
  const names = [...new Set(typed.split(/[\s,]+/).filter((name) => name !== ''))]
  const wrong = names.find((name) => !/^[A-Za-z_*][\w*]*$/.test(name) || name.length > 200)
  if (wrong !== undefined)
    return { kind: 'wrong', why: `${wrong.slice(0, 40)} is not the name of a variable. Like NPM_TOKEN, or AWS_* for all that begin so.` }
  const all = names.find((name) => /^\*+$/.test(name))
  if (all !== undefined) return { kind: 'wrong', why: `${all} would hand over every secret. Name those that are needed.` }
  return names.length > 100 ? { kind: 'wrong', why: 'At most 100 names for one project.' } : { kind: 'names', names }
}
