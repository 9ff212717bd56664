// The worker of the diff component, as a file of its own, because the policy of this page allows workers from nowhere else.
import '@pierre/diffs/worker/worker.js'
