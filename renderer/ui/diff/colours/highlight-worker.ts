// The component's own worker, as its own file: under the policy of this page a worker may come from nowhere else.
import '@pierre/diffs/worker/worker.js'
