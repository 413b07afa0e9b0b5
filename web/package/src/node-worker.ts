// The worker of Node.
import { parentPort } from "node:worker_threads";

import { serve, type ToWorker } from "./serve.js";

const take = serve((message) => parentPort?.postMessage(message));
parentPort?.on("message", (message: ToWorker) => take(message));
