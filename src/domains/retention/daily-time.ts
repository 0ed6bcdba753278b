/** The newest moment, up to `now`, that the server's clock showed this time of day. @param time `HH:MM` */
export function lastDailyTime(now: Date, time: string): Date {
  const last = timeOfDay(now, 0, time);
  return last <= now ? last : timeOfDay(now, -1, time);
}

export function nextDailyTime(now: Date, time: string): Date {
  const next = timeOfDay(now, 0, time);
  return next > now ? next : timeOfDay(now, 1, time);
}

function timeOfDay(now: Date, days: number, time: string): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours, minutes);
}
