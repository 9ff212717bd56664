/** Makes a client for a key when it is first needed, and keeps it until the key changes. */
export function clientPerKey<Client>(make: (key: string) => Promise<Client>): (key: string) => Promise<Client> {
  let kept: { readonly key: string; readonly client: Client } | null = null
  return async (key) => {
    if (kept?.key !== key) kept = { key, client: await make(key) }
    return kept.client
  }
}
