import { parentPort, workerData } from 'node:worker_threads'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { articleOf } from './article.ts'
import type { DocumentRequest, DocumentResults } from './read-document-in-worker.ts'
import { pdfText } from './pdf-text.ts'
import { searchHits } from './duck-duck-go-hits.ts'

const request = workerData as DocumentRequest
const answer: DocumentResults[DocumentRequest['kind']] = await answerTo(request)
parentPort?.postMessage(answer)

function answerTo(asked: DocumentRequest): Promise<DocumentResults[DocumentRequest['kind']]> {
  switch (asked.kind) {
    case 'pdf':
      return pdfText(asked.bytes)
    case 'article':
      return articleOf(asked.html, asked.url)
    case 'hits':
      return searchHits(asked.html)
    default:
      return assertNever(asked, 'request')
  }
}
