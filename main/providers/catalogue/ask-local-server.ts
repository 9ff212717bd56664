/** The parameters of a request to a model server on this computer. */
interface LocalRequest {
  readonly signal: AbortSignal
  /** Maximum size in bytes of the answer. A longer answer is an error. */
  readonly maxBytes: number
  /** Sent as JSON by POST. Default: GET. */
  readonly body?: object
}

/** The JSON answer of a model server on this computer. Rejects if the status is not 200 or the answer is too long. */
export async function askLocalServer(url: string, { signal, maxBytes, body }: LocalRequest): Promise<unknown> {
  // `fetch` is not used, because it would load a second HTTP client.
  const { request } = process.getBuiltinModule('node:http')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const method = body ? 'POST' : 'GET'
  const asked = request(url, { signal, agent: false, method, headers: { accept: 'application/json' } }, (response) => {
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size > maxBytes) response.destroy(new Error('The answer is too long.'))
    })
    response.once('error', reject)
    response.once('end', () =>
      response.statusCode === 200 ? resolve(Buffer.concat(chunks).toString('utf8')) : reject(new Error('No answer.')),
    )
  })
  asked.once('error', reject)
  asked.end(body ? JSON.stringify(body) : undefined)
  return JSON.parse(await promise) as unknown
}
