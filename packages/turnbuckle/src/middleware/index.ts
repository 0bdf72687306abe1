export { type CircuitBreakerOptions, circuitBreaker } from './circuit-breaker.ts'
