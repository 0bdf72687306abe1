/** What the promise gives. Rejects with the name of what was waited for when that takes longer: a run that stands still says where. */
export async function within(seconds, what, promise) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not done within ${seconds} s.`)), seconds * 1000)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
