// The worker of the diff component has its own file, because the content security policy of this page allows no other kind of worker.
import '@pierre/diffs/worker/worker.js'
