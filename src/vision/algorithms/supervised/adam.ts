/**
 * Adam (Kingma & Ba 2015) with the weight decay of Loshchilov & Hutter 2019.
 * @param weights arrays that each step changes in place
 * @param decays for each array the share that a step at a learning rate of 1 takes away
 * @returns a step, from the gradients of all arrays and the learning rate
 */
export function openAdam(weights: readonly Float32Array[], decays: readonly number[]) {
  const means = weights.map(({ length }) => new Float64Array(length));
  const squares = weights.map(({ length }) => new Float64Array(length));
  let steps = 0;
  return (gradients: readonly Float32Array[], rate: number): void => {
    steps++;
    const meanScale = 1 - 0.9 ** steps;
    const squareScale = 1 - 0.999 ** steps;
    weights.forEach((weight, index) => {
      const mean = means[index]!;
      const square = squares[index]!;
      const gradient = gradients[index]!;
      const decay = decays[index]!;
      for (let i = 0; i < weight.length; i++) {
        const value = gradient[i]!;
        mean[i] = 0.9 * mean[i]! + 0.1 * value;
        square[i] = 0.999 * square[i]! + 0.001 * value * value;
        const move = mean[i]! / meanScale / (Math.sqrt(square[i]! / squareScale) + 1e-8);
        weight[i]! -= rate * (move + decay * weight[i]!);
      }
    });
  };
}
