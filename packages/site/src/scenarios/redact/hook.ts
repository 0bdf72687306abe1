import { redact } from 'turnbuckle/middleware'

// No part of a match is shown, also where it comes in two chunks.
// Try another pattern: /\bpump\b/
export default redact(/EMP-\d{6}/, '[employee]')
