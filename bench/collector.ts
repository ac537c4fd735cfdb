// An OpenTelemetry collector that reads what it is sent, and drops it.
import { createServer } from 'node:http'
import { listen } from './peers/listen.ts'

listen(createServer((request, response) => request.resume().on('end', () => response.end())))
