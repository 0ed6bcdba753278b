/**
 * Adam (Kingma & Ba 2015) over some arrays of weights, with the decay of Loshchilov & Hutter 2019.
 * @param decays for each array the share of it that a step of full length takes away
 * @returns a step down the slopes, one array for each of the weights, which are changed in place
 */
export function openAdam(weights: readonly Float32Array[], decays: readonly number[]) {
  const means = weights.map(({ length }) => new Float64Array(length));
  const squares = weights.map(({ length }) => new Float64Array(length));
  let step = 0;
  return (slopes: readonly Float32Array[], rate: number): void => {
    step++;
    const [meanScale, squareScale] = [1 - 0.9 ** step, 1 - 0.999 ** step];
    weights.forEach((weight, which) => {
      const [mean, square, slope] = [means[which]!, squares[which]!, slopes[which]!];
      const share = decays[which]!;
      for (let i = 0; i < weight.length; i++) {
        const value = slope[i]!;
        mean[i] = 0.9 * mean[i]! + 0.1 * value;
        square[i] = 0.999 * square[i]! + 0.001 * value * value;
        const move = mean[i]! / meanScale / (Math.sqrt(square[i]! / squareScale) + 1e-8);
        weight[i]! -= rate * (move + share * weight[i]!);
      }
    });
  };
}
