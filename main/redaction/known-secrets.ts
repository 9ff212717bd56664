import type { RedactedStream, Redactor } from '../agent/ports/redactor.ts'
import { formsOf } from './secret-forms.ts'
import { type SecretForm, SecretSearch } from './secret-search.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import { personEnvironment } from '../environment/own-variables.ts'
import { isSecretVariable, secretsIn } from '../environment/secret-variables.ts'
import { PROVIDERS } from '../providers/registry.ts'
import type { Secrets } from '../settings/secrets.ts'

/** What may be the beginning of a secret is held back for so long, ms: a prompt that ends like one must be seen. */
const HELD_MS = 20
/** So many bytes of a secret are no coincidence: they are held back until more comes or the output ends, however long that takes. */
const SURE_BYTES = 8

/** The secrets that this process knows, so that none of them gets into the log, onto a screen or to a model by way of some output. */
export interface KnownSecrets extends Redactor {
  /** `name` says in the marker what was hidden: of a variable, or "OpenAI key". One that is too short to be told from a word is not hidden. */
  add(name: string, secret: string | null | undefined): void
}

export function createKnownSecrets(): KnownSecrets {
  const known = new Set<string>()
  let forms: readonly SecretForm[] = []
  let search: SecretSearch | null = null
  return {
    add(name, given) {
      // a variable read from a file often ends in a line break, which outputs leave out
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
  // One byte for each UTF-16 unit, so that places are the same in both; forms that are not ASCII are replaced apart.
  const bytes = Buffer.from(text, 'latin1')
  let clean = ''
  let done = 0
  for (let match = search.find(bytes, 0); match;) {
    const isReal = text.slice(match.start, match.end) === bytes.toString('latin1', match.start, match.end)
    if (isReal) {
      clean += text.slice(done, match.start) + match.marker
      done = match.end
    }
    match = search.find(bytes, isReal ? match.end : match.start + 1)
  }
  return done === 0 ? text : clean + text.slice(done)
}

function redactedStream(current: () => SecretSearch | null, emit: (bytes: Buffer) => void): RedactedStream {
  let held: Buffer = Buffer.alloc(0)
  /** How much of the beginning of `held` was handed over already, since it was held for too long. */
  let shown = 0
  let timer: NodeJS.Timeout | undefined
  const letGo = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (shown < held.length) emit(held.subarray(shown))
    shown = held.length
  }
  const write = (bytes: Buffer): void => {
    const search = current()
    if (!search) {
      letGo()
      held = Buffer.alloc(0)
      shown = 0
      return emit(bytes)
    }
    const data = held.length > 0 ? Buffer.concat([held, bytes]) : bytes
    let next = shown
    let from = 0
    for (let match = search.find(data, from); match; match = search.find(data, from)) {
      from = match.end
      if (match.end <= next) continue
      if (match.start > next) emit(data.subarray(next, match.start))
      emit(Buffer.from(match.marker))
      next = match.end
    }
    const keep = search.unfinished(data, from)
    if (keep > next) emit(data.subarray(next, keep))
    held = Buffer.from(data.subarray(keep))
    shown = Math.max(0, next - keep)
    clearTimeout(timer)
    timer = shown < held.length && held.length < SURE_BYTES ? setTimeout(letGo, HELD_MS) : undefined
  }
  return { write, end: letGo }
}

/** Knows the keys and passwords of the environment and the keys of all providers, those too that are set later. */
export function createSecretRedactor(secrets: Secrets, env: NodeJS.ProcessEnv = personEnvironment()): Redactor {
  const known = createKnownSecrets()
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !isSecretVariable(name, value)) continue
    for (const secret of secretsIn(value)) known.add(name, secret)
  }
  const learn = async (provider: ProviderId, label: string): Promise<void> => known.add(`${label} key`, await secrets.get(provider))
  for (const { id, label } of PROVIDERS) void learn(id, label)
  secrets.onChange((provider) => {
    const entry = PROVIDERS.find(({ id }) => id === provider)
    if (entry) void learn(entry.id, entry.label)
  })
  return known
}
