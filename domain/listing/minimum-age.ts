/**
 * Whether somebody born on `dateOfBirth` has reached an age on `day`. Both are `YYYY-MM-DD`. Who was born on 29 February has their birthday
 * on 1 March in years without that day.
 */
export const isOfAge = (dateOfBirth: string, age: number, day: string): boolean =>
  `${Number(dateOfBirth.slice(0, 4)) + age}${dateOfBirth.slice(4)}` <= day;
