/** Fractions of the whole training at which its steps begin. */
export const FEATURES = 0.1;
export const LEARNING = 0.7;
export const OUTLIERS = 0.76;
export const SCORING = 0.82;
