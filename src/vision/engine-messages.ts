import { type Catalogue, type Message, renderMessage, type ValuesArgument } from './message.ts';
import type { NamedSample } from './types.ts';

/** Everything that the engine says to a person, in English. `src/messages/japanese-texts.json` has the Japanese. */
export const engineTexts = {
  'image.empty': 'The file is empty.',
  'image.unknown-format':
    'The file is not a JPEG, PNG, WebP, TIFF or BMP image (it starts with {start}). The content counts, not the name.',
  'image.cut-off': 'The {format} file is cut off ({details}); send the whole file.',
  'image.undecodable': 'The {format} file cannot be decoded ({details}); save it again.',
  'image.channels': 'The {format} file decodes to {channels} channels; save it as RGB.',
  'image.samples': 'The {format} file has {kind}, whose range is not known; save it with 8 or 16 bits a channel.',
  'samples.signed': 'signed samples',
  'samples.float': 'floating point samples',
  'samples.wide': '32 bits a sample',
  'image.too-many-bytes': 'The file has {mebibytes}\u00a0MiB; an image may have {most}\u00a0MiB. Save it smaller.',
  'image.no-pixels': 'The image is {width}×{height} pixels; it needs at least one.',
  'image.too-many-pixels':
    'The image is {width}×{height} pixels; {most} megapixels are allowed. Scale it down or crop it.',
  'bmp.unsupported': 'A BMP file with {field} {value} is not read; save it as PNG.',
  'bmp.palette': 'The BMP file has a colour that its palette does not have; save it as PNG.',
  'bmp.cut-off': 'The BMP file has {bytes} of {needed} bytes; send the whole file.',

  'step.unknown': 'There is no preprocessing step "{name}"; the steps are {known}.',
  'step.problem': '{step}: {field} {problem}',
  'step.config-no-json': '{step}: config is not JSON ({details}); send a JSON object as a string, such as {example}',
  'step.config': '{step}: config is {received}; send a JSON object as a string, such as {example}',
  'step.no-reference':
    '{step}: there is no image for reference "{reference}"; name an item that exists and has an image.',
  'align.reference-too-small':
    'align: the reference is {width}×{height} pixels at this step; both sides need at least {least}. Choose a larger image or resize less.',
  'align.no-structure':
    'align: the reference ({width}×{height} pixels at this step) shows no structure to align by: it is all one colour, masked, or far too narrow. Choose another item, or mask less.',
  'align.not-found':
    'align: the product was not found in this image (match {match}\u00a0%), so the image was left where it is.',
  'align.shift':
    'align: the product is shifted by {shift}\u00a0% of the longer side; max_shift is {most}\u00a0%. The image was left where it is.',
  'align.rotation':
    'align: the product is turned by {degrees}°; max_rotation is {most}°. The image was left where it is.',
  'align.scale':
    'align: the product has {size}\u00a0% of its size in the reference; align corrects {most}\u00a0% at most. The image was left where it is.',
  'crop.beyond':
    'crop: {edge} + {side} is {end}\u00a0%; the rectangle must end within 100\u00a0%, so make {side} at most {most}',
  'crop.nothing-left':
    'crop: nothing of the {width}×{height} image is left from ({left}, {top}); move the rectangle into the image.',
  'resize.no-size': 'resize: "width" and "height" are both missing; give one to keep the shape, or both to stretch',
  'resize.too-large':
    'resize: the {width}×{height} image would become {newWidth}×{newHeight} pixels; {most} megapixels are allowed. Give both sides, or a smaller one.',
  'rotate.too-large':
    'rotate: the {width}×{height} image would become {newWidth}×{newHeight} pixels; {most} megapixels are allowed. Switch "expand" off, or resize before.',
  'white-balance.area':
    'white_balance: area is {width}×{height}\u00a0% at ({x}, {y}); it must be larger than 0 and end within 100\u00a0%',

  'field.required': 'is required. Send it.',
  'field.unknown': 'is not known here. Remove it, or check its spelling.',
  'field.unknown-of': 'is not known here. Known: {known}.',
  'field.type': 'must be {types}, received {received}.',
  'field.one-of': 'must be one of {allowed}, received {received}.',
  'field.minimum': 'must be at least {limit}, received {received}.',
  'field.maximum': 'must be at most {limit}, received {received}.',
  'field.above': 'must be more than {limit}, received {received}.',
  'field.below': 'must be less than {limit}, received {received}.',
  'field.range': 'must be {types} from {lower} to {upper}, received {received}.',
  'field.min-length': 'must have at least {limit} {limit|character|characters}, received {received}.',
  'field.max-length': 'may have at most {limit} {limit|character|characters}, received {received}.',
  'field.min-items': 'must have at least {limit} {limit|entry|entries}.',
  'field.max-items': 'may have at most {limit} {limit|entry|entries}.',
  'field.unique': 'names an entry twice. Name each once.',
  'field.twice': 'is there twice. Send it once.',
  'field.time': 'must be a time such as 2026-01-31T09:00:00Z, received {received}.',
  'field.invalid': 'has a form that is not accepted here, received {received}.',
  'type.string': 'text',
  'type.number': 'a number',
  'type.integer': 'a whole number',
  'type.boolean': 'true or false',
  'type.object': 'an object',
  'type.array': 'a list',
  'type.null': 'null',
  'type.or': '{one} or {other}',

  'parameter.wrong-type': 'Parameter {name} is {received}; {type} is needed.',
  'algorithm.unknown': 'This release has no algorithm "{algorithm}".',

  'model.not-a-model':
    'The model cannot be opened: it does not start with {magic}. Import it again, or train a new one.',
  'model.version':
    'The model cannot be opened: its format is version {found}, this release reads version {known}. Import it again, or train a new one.',
  'model.checksum': 'The model cannot be opened: its checksum does not match. Import it again, or train a new one.',
  'model.damaged':
    'The model cannot be opened: its part "{part}" is missing or damaged. Import it again, or train a new one.',
  'model.not-open': 'The model {hash} is not open here.',
  'model.other-release': 'The model was made by {algorithm} version {version}, which this release does not have.',
  'model.other-network':
    'The model was trained with another network named {network}. Put that network back, or train again.',
  'model.other-grid': 'The features are {columns}×{rows} cells; the model has {ownColumns}×{ownRows}. Train it again.',

  'backbone.input': 'Input {input} of backbone {id} is {found}; float32 [N, 3, H, W] or uint8 [N, H, W, 4] is needed.',
  'backbone.names':
    'Backbone {id} has inputs {inputs} and outputs {outputs}, but its description names {missing}. Correct the JSON beside the network.',
  'backbone.no-outputs': 'The description of backbone {id} names no outputs. Correct the JSON beside the network.',
  'backbone.output': 'Output {output} of backbone {id} is {found}; float32 [1, C, h, w] is needed.',
  'backbone.unusable': 'Backbone {id} is not an ONNX network that runs here: {details}',

  'verdict.threshold': 'threshold is {threshold}; it must be from 0 to 1.',
  'verdict.min-area': 'min_detected_area is {area}; it must be 0 or more.',
  'verdict.nothing-inspected':
    'Nothing of the {width}×{height} image is inspected: ignore_outer is "{ignoreOuter}". Make what is ignored smaller.',
  'verdict.nothing-inspected-masked':
    'Nothing of the {width}×{height} image is inspected: ignore_outer is "{ignoreOuter}", and the preprocessing steps ignore a part. Make what is ignored smaller.',
  'ignore-outer.invalid':
    'ignore_outer is "{text}": {reason}. Write "none", or one to four lengths as in "5%", "12px", "5% 10px".',
  'ignore-outer.not-a-length': '"{word}" is not a length',
  'ignore-outer.nothing-between-top-and-bottom': 'its top and bottom margins take {percent}\u00a0% of the image',
  'ignore-outer.nothing-between-sides': 'its right and left margins take {percent}\u00a0% of the image',
  'ignore-outer.too-wide': '{word} is wider than any image',
  'ignore-outer.count': 'it has {count} lengths',

  'training.cancelled': 'Cancelled on request; start the training again to continue.',
  'training.image': '"{name}": {reason}',
  'training.no-good-image': 'There is no good image to learn from; add at least one, better thirty.',
  'training.only-image-too-small':
    'The only good image is {width}×{height} pixels when the model sees it, too small to set a threshold by. Add another good item, or crop and resize less.',
  'training.nothing-inspected':
    'Nothing of the good images is inspected: the preprocessing steps ignore all of each, or leave less than a model can see. Make the masks smaller, or check their unit.',
  'training.nothing-to-learn':
    'Nothing can be learned from {images|the good image|any of the good images}: {reason}. Check camera, light and preprocessing steps, and add other images.',
  'training.image-too-small': '"{name}" is less than 16 pixels wide or high when the model sees it',
  'training.image-too-narrow': '"{name}" is more than 32 times as long as it is wide when the model sees it',
  'training.image-no-contrast': '"{name}" shows nothing but one colour',
  'training.all-alike':
    'All good images look exactly the same to the model, so that any other image would be NG. Add good images that differ as products do.',
  'training.no-ng-image': 'There is no NG image to learn classes from; add one, or use patchcore.',
  'training.no-rectangle': 'No defect has a rectangle to learn from; annotate some, or use patchcore.',
  'training.no-rectangle-left':
    'No rectangle of a defect lies in what the preprocessing steps leave of the images. Crop less, or annotate others.',
  'padim.too-large':
    'image_size {imageSize} with channels {channels} would make a model of {megabytes}\u00a0MB, more than the {most}\u00a0MB that it may have. Set channels to {fewer} or less, or image_size to {smaller} or less.',

  'progress.images': 'looking at the images',
  'progress.features': 'extracting features {done}/{total}',
  'progress.outliers': 'looking for outliers',
  'progress.learning': 'learning what good looks like',
  'progress.scoring': 'scoring images that the model has not seen',
  'progress.defects': 'looking at the defects',
  'progress.windows': 'looking at defects {done}/{total}',
  'progress.classes': 'learning the classes',
  'progress.classes-counted': 'learning the classes {done}/{total}',
  'progress.fold': 'learning from a part of the images {done}/{total}',
  'progress.item': 'looking at "{name}"',
  'progress.known': 'checking known images {done}/{total}',
  'progress.trying': 'checking the refined model on its corrections',
  'progress.done': 'done',

  'remark.outliers': 'Outliers, not learned from: {names}.',
  'remark.doubtful': 'Check whether these are good; they differ most: {names}.',
  'remark.copies': 'Copies of other good images, not learned from: {names}.',
  'remark.contradictions': 'The same file with two verdicts; correct one: {names}.',
  'remark.contradiction': '{good} (OK) and {defect} (NG)',
  'remark.few-images':
    'With {images} good {images|item|items}, false alarms can be held to {best}\u00a0% at best; add {missing} more to hold them to {rate}\u00a0%.',
  'remark.dark':
    'The images are dark; they are brightened to {percent}\u00a0% before they are compared. More light shows more.',
  'remark.light-varies':
    'The images are dark or differ in brightness; each is brought to {percent}\u00a0% before it is compared. More and steadier light shows more.',
  'remark.preprocessing': 'Preprocessing failed on {failed} of {total} images, as on {name}: {reason}',
  'remark.corrected-missed':
    'Corrected {missed} missed {missed|defect|defects}; no new error on {kept} known {kept|image|images}.',
  'remark.corrected-cleared':
    'Corrected {cleared} false {cleared|alarm|alarms}; no new error on {kept} known {kept|image|images}.',
  'remark.corrected-both':
    'Corrected {missed} missed {missed|defect|defects} and {cleared} false {cleared|alarm|alarms}; no new error on {kept} known {kept|image|images}.',
  'remark.not-checked': '{count} more known {count|image was|images were} not checked, to keep the refinement short.',
  'remark.right-already': 'Right already: {names}.',
  'list.more': 'and {count} more',

  'refine.no-algorithm':
    'This release has no algorithm {algorithm}, so its models cannot be refined. Train another one with the items among its training items.',
  'refine.no-limit':
    "The model's threshold is {threshold}: every product gets the same verdict. Set it between 0 and 1 first.",
  'refine.low-limit':
    "The model's threshold is {threshold}, and below 0.5 it finds known classes only: a missed defect cannot be corrected. Set it to 0.5 or higher first.",
  'refine.good-would-fail':
    'Then "{name}", a good item that passes now, would be called NG. Nothing was changed: send fewer items, or draw tighter rectangles.',
  'refine.defect-would-pass':
    'Then "{name}", a defect that is found now, would pass. Nothing was changed: the false alarms look like it. Send the other items without them.',
  'refine.still-ng': '"{name}" would still be called NG: it looks like a missed defect that was corrected.',
  'refine.too-small': 'The defect of "{name}" is found, but it is smaller than min_detected_area. Lower that first.',
  'refine.still-missed':
    'The defect of "{name}" would still be missed: it looks like a false alarm that was corrected.',
  'refine.nothing': 'There is nothing to learn: the model agrees with you on all of these items.',
  'refine.defect-like-good':
    '"{name}" is NG, but where it was missed it looks the same as "{other}", which is good: no model can tell them apart. Correct one of the two verdicts, or draw the rectangle of the defect.',
  'refine.good-like-defect':
    '"{name}" is good, but where the alarm is it looks the same as a defect of "{other}": no model can tell them apart. Correct one of the two verdicts, or remove this item from the list.',
  'refine.not-inspected':
    'The defect of "{name}" lies where nothing is inspected: make ignore_outer or the ignored areas smaller.',
} as const;

export type EngineCode = keyof typeof engineTexts;

export const engineCatalogue: Catalogue = { texts: engineTexts, separators: { names: ', ', sentences: ' ' } };

/** A message of the engine with the values that its text needs. */
export function say<Code extends EngineCode>(
  code: Code,
  ...[values]: ValuesArgument<(typeof engineTexts)[Code]>
): Message {
  return { code, values: values ?? {} };
}

export const toEnglish = (message: Message): string => renderMessage(message, engineCatalogue);

const mostNames = 10;

/** The first names of a list, and how many more there are. */
export function listNames<Name extends string | Message>(names: readonly Name[], most = mostNames): (Name | Message)[] {
  if (names.length <= most) return [...names];
  return [...names.slice(0, most), say('list.more', { count: names.length - most })];
}

/** The same of training images, with the ids of their items in the same order. */
export function listSamples(samples: readonly NamedSample[]) {
  return {
    names: listNames(samples.map(({ name }) => name)),
    item_ids: samples.slice(0, mostNames).map(({ itemId }) => itemId),
  };
}
