import { answersWhole } from './provider/answers.ts'
import { benchOf, type ProviderSubject } from './provider/bench.ts'
import { bytesCutAnywhere, streamsInBadForm } from './provider/bytes.ts'
import { answersThatAreNone, noWay, refusals, waits } from './provider/refusals.ts'
import { shapedAnswers } from './provider/shapes.ts'
import { cancelling, silence } from './provider/silence.ts'

/** Tests the promises of every adapter over real HTTP (L-22, L-23, faults 41–48, wire-formats "All"). */
export function providerConformance(subject: ProviderSubject): void {
  const bench = benchOf(subject)
  const groups = [
    answersWhole,
    shapedAnswers,
    bytesCutAnywhere,
    streamsInBadForm,
    refusals,
    waits,
    answersThatAreNone,
    noWay,
    silence,
    cancelling,
  ]
  for (const group of groups) group(bench)
}
