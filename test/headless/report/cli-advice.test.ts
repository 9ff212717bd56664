import { expect, test } from 'vitest'
import { withCliAdvice } from '../../../main/headless/report/cli-advice.ts'
import { failure } from '../../../main/providers/failures/failures.ts'
import { troubleOf } from '../../../main/providers/failures/trouble-of-failure.ts'
import type { FailureCause } from '../../../main/agent/ports/provider.ts'

test.each<readonly [string, FailureCause | undefined, string]>([
  [
    'OpenAI-compatible server: no address is set.',
    'base_url',
    'Correct the address (--base-url or OPENAI_COMPATIBLE_BASE_URL), or choose another provider (--provider), then start again.',
  ],
  [
    'No model for OpenAI-compatible server is set.',
    undefined,
    'Check the provider (--provider), the model (--model) and the address (--base-url or OPENAI_COMPATIBLE_BASE_URL), then start again.',
  ],
  [
    'The proxy on the way requires authentication (407).',
    'proxy',
    'Check the proxy settings (HTTPS_PROXY) and their name and password, then resume.',
  ],
])('without a window, the advice names options and variables: %s', (what, cause, todo) => {
  const trouble = troubleOf(failure('configuration', what, cause ? { cause } : {}), { nowMs: 0 })
  expect(withCliAdvice(trouble, 'openai-compatible')).toEqual({ ...trouble, what, todo })
})
