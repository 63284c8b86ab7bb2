// Package request declares what may be asked of a ranking. [Request] is one struct: the tags of its fields, and those of
// [table.Options] and [label.Settings] in it, are the flags of pacia predict, next and score, the fields of a form and of a
// JSON body, the inputs of the page, the checks and the documentation (docs/fields.md).
//
// Beside the tags of package setting, a field has
//
//	doc      its meaning; 'FILE' in quotes stands for the value
//	only     the commands that have the flag, of predict, next and score; without it, all
//	flag     the flag's name, where it differs from that of the field
//	file     the number of files that the field takes
//	choices  values that are offered, where others are allowed
//	needs    one of these fields is needed for the field to have an effect
//	without  fields with which it has no effect
//	title    its title on the page
//	empty    what an empty input of the page means
//	page     where its input is: support, library, past or files (how these are read), labels, history or ranking; without title,
//	         index.html has the input itself
//	same     "yes": it does not change the ranking, only the answer
//
// Instead of a value, flag, form and page may have "-: " and the reason for which the field has none.
package request
