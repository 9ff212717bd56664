import type { App } from '../../compose/app.ts'
import type { RunFlags } from './flags.ts'
import { complain, type Write, sentences } from '../report/standard-output.ts'
import { withCliAdvice } from '../report/cli-advice.ts'
import { visibleLine } from '../report/visible-text.ts'

/** Writes the models that a provider's service lists and the models in Countersign's catalogue. Returns the exit code. */
export async function listModels({
  app,
  flags,
  write,
}: {
  readonly app: App
  readonly flags: RunFlags
  readonly write: Write
}): Promise<number> {
  const { models } = app
  const asJson = flags.json ?? !process.stdout.isTTY
  const provider = flags.provider ?? models.defaults({}).provider
  const asked = await models.listModels(provider)
  if (!asked.ok) complain(sentences(withCliAdvice(asked.failure, provider)))
  const known = models.facts().find((facts) => facts.provider === provider)?.models ?? []
  const listed = asked.ok ? new Set(asked.value.models.map(({ model }) => model)) : null
  for (const { model, label, contextWindow, price } of known) {
    const size = contextWindow === null ? 'context unknown' : `${contextWindow} tokens`
    const cost = price ? `$${price.input} in, $${price.output} out per million tokens` : 'price unknown'
    const place = listed === null ? 'not asked' : listed.has(model) ? 'listed' : 'not listed'
    const line = { provider, model, label, contextWindow, price, listed: listed?.has(model) ?? null }
    write(asJson ? `${JSON.stringify(line)}\n` : `${[model, size, cost, place].map(visibleLine).join('\t')}\n`)
  }
  return asked.ok ? 0 : 1
}
