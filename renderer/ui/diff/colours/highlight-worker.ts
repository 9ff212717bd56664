// The component's own worker, as a file of its own: under the policy of this page a worker may come from nowhere else.
import '@pierre/diffs/worker/worker.js'
