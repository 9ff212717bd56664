// The worker of the diff component, as a file of its own, because the policy of this page allows no other kind of worker.
import '@pierre/diffs/worker/worker.js'
