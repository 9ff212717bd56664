import type { Credentials, ServerSecrets } from '../mcp/connection.ts'
import type { KnownSecrets } from '../redaction/known-secrets.ts'
import type { SecretTexts } from '../settings/secrets.ts'

/** The credentials of a server, stored like provider keys. Their tokens are hidden in all output from then on. */
export function keptCredentials(texts: SecretTexts, redactor: Pick<KnownSecrets, 'add'>, name: string): Credentials {
  const learn = (text: string): void => {
    for (const [, token] of text.matchAll(/"(?:access_token|refresh_token|client_secret)":"([^"\\]+)"/gu))
      redactor.add('MCP sign-in', token)
  }
  return {
    async read() {
      const text = await texts.read(name)
      if (text !== null) learn(text)
      return text
    },
    async write(text) {
      if (text !== null) learn(text)
      const done = await texts.write(name, text)
      if (!done.ok) throw new Error(done.failure.what)
    },
  }
}

/** The secrets of a server, stored like provider keys. They are hidden in all output from then on. */
export function keptSecrets(texts: SecretTexts, redactor: Pick<KnownSecrets, 'add'>, name: string): ServerSecrets {
  return {
    async read() {
      const text = await texts.read(name)
      const values = text === null ? {} : (JSON.parse(text) as Readonly<Record<string, string>>)
      for (const [variable, value] of Object.entries(values)) redactor.add(variable, value)
      return values
    },
    async write(values) {
      for (const [variable, value] of Object.entries(values)) redactor.add(variable, value)
      const done = await texts.write(name, Object.keys(values).length === 0 ? null : JSON.stringify(values))
      if (!done.ok) throw new Error(done.failure.what)
    },
  }
}
