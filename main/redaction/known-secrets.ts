import type { Redactor } from '../agent/ports/redactor.ts'
import { formsOf } from './secret-forms.ts'
import { searchIn } from './output-views.ts'
import { redactedStream } from './redacted-stream.ts'
import { type SecretForm, SecretSearch } from './secret-search.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import { launchEnvironment, onShellVariables } from '../environment/launch-environment.ts'
import { isSecretVariable, secretsIn } from '../environment/secret-variables.ts'
import { PROVIDERS } from '../providers/provider-registry.ts'
import type { Secrets } from '../settings/secrets.ts'

/** The secrets that this process knows. They are removed from all output, so that none reaches the log, a screen or a model. */
export interface KnownSecrets extends Redactor {
  /**
   * `name` appears in the marker. It is the name of a variable, or a label such as "OpenAI key". Secrets that are as short as ordinary
   * words are not hidden.
   */
  add(name: string, secret: string | null | undefined): void
}

export function createKnownSecrets(): KnownSecrets {
  const known = new Set<string>()
  let forms: readonly SecretForm[] = []
  let search: SecretSearch | null = null
  return {
    add(name, given) {
      // A variable that was read from a file often ends with a line break, which does not appear in outputs.
      const secret = given?.trim()
      if (!secret || known.has(secret)) return
      known.add(secret)
      forms = [...forms, ...formsOf(name, secret)]
      search = forms.length > 0 ? new SecretSearch(forms) : null
    },
    text: (text) => (search ? redactedText(search, text) : text),
    losesSecret(before, after) {
      if (!search) return false
      const markers = [...new Set(forms.map(({ marker }) => marker))].filter((marker) => count(after, marker) > count(before, marker))
      return markers.length > 0 && redactedText(search, before) !== before
    },
    stream: (emit) => redactedStream(() => search, emit),
  }
}

const count = (text: string, part: string): number => text.split(part).length - 1

function redactedText(search: SecretSearch, text: string): string {
  const ascii = redactedAscii(search, text)
  return search.others.reduce((clean, { bytes, marker }) => clean.replaceAll(bytes.toString(), marker), ascii)
}

function redactedAscii(search: SecretSearch, text: string): string {
  // One byte per UTF-16 unit, so that positions are the same in the text and the bytes. Forms that are not ASCII are replaced separately.
  const bytes = Buffer.from(text, 'latin1')
  let clean = ''
  let done = 0
  const { find } = searchIn(search, bytes, { clean: null, isWhole: true })
  for (let match = find(0); match;) {
    const isReal = text.slice(match.start, match.end) === bytes.toString('latin1', match.start, match.end)
    if (isReal) {
      clean += text.slice(done, match.start) + match.marker
      done = match.end
    }
    match = find(isReal ? match.end : match.start + 1)
  }
  return done === 0 ? text : clean + text.slice(done)
}

function addVariables(known: KnownSecrets, env: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !isSecretVariable(name, value)) continue
    for (const secret of secretsIn(value)) known.add(name, secret)
  }
}

/** Contains the keys and passwords in the environment and the keys of all providers, including keys that are set later. */
export function createSecretRedactor(secrets: Secrets, env: NodeJS.ProcessEnv = launchEnvironment()): KnownSecrets {
  const known = createKnownSecrets()
  addVariables(known, env)
  onShellVariables(() => addVariables(known, launchEnvironment()))
  const learn = async (provider: ProviderId, label: string): Promise<void> => known.add(`${label} key`, await secrets.get(provider))
  for (const { id, label } of PROVIDERS) void learn(id, label)
  secrets.onChange((provider) => {
    const entry = PROVIDERS.find(({ id }) => id === provider)
    if (entry) void learn(entry.id, entry.label)
  })
  return known
}
