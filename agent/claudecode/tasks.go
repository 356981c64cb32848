package claudecode

import (
	"slices"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
)

// Newer versions keep the to-do list by one call a change: TaskCreate,
// TaskUpdate, TaskList. The list that each call leaves is put together here,
// as far as the calls of a page tell it whole.

// taskOp is what a call does to the list.
type taskOp struct {
	name    string
	id      string // of the task; of a new one the result says it
	subject string
	status  string
	list    []task // the whole list, as a result gave it
	done    bool   // the result says that it was done
}

type task struct {
	id   string
	todo recap.Todo
}

// taskCall reads a call; false where it is no change of the list.
func taskCall(name string, in *fastjson.Value) (taskOp, bool) {
	switch name {
	case "TaskCreate", "TaskUpdate", "TaskList":
	default:
		return taskOp{}, false
	}
	return taskOp{name: name, id: number(in.Get("taskId")), subject: str(in, "subject"), status: str(in, "status")}, true
}

// number reads an id that may be text or a number.
func number(v *fastjson.Value) string {
	if v != nil && v.Type() == fastjson.TypeNumber {
		return strconv.Itoa(v.GetInt())
	}
	return strings.TrimPrefix(text(v), "#")
}

// taskResult reads what a row with one result says of tasks.
func taskResult(whole *fastjson.Value, x *result) {
	x.task = number(whole.Get("task", "id"))
	x.refused = whole.Exists("success") && !whole.GetBool("success")
	for _, t := range whole.GetArray("tasks") {
		if id, subject := number(t.Get("id")), str(t, "subject"); id != "" && subject != "" {
			x.tasks = append(x.tasks, task{id, recap.Todo{Text: subject, Status: todoStatus(string(t.GetStringBytes("status")))}})
		}
	}
}

// with completes the call by its result.
func (op taskOp) with(x result) taskOp {
	op.done, op.list = !x.failed && !x.rejected && !x.stopped && !x.refused, x.tasks
	if op.name == "TaskCreate" {
		if op.id = x.task; op.id == "" {
			op.id = between(x.text, "Task #", " ")
		}
	}
	return op
}

// tasks follows the list through the calls of a page, oldest first.
type tasks struct {
	list []task
	// whole: nothing of the list is unknown.
	whole bool
	begun bool
}

// apply makes the call one that sets the list, where the list is known.
func (l *tasks) apply(t *recap.Tool, op taskOp) {
	if !op.done {
		return
	}
	at := slices.IndexFunc(l.list, func(x task) bool { return x.id == op.id })
	switch op.name {
	case "TaskList":
		if op.list == nil {
			return
		}
		l.list, l.whole = slices.Clone(op.list), true
	case "TaskCreate":
		if op.id == "" {
			l.whole = false
			break
		}
		if !l.begun && op.id == "1" {
			l.whole = true
		}
		if at < 0 {
			l.list = append(l.list, task{op.id, recap.Todo{Text: op.subject, Status: recap.TodoOpen}})
		}
	case "TaskUpdate":
		switch {
		case at < 0:
			l.whole = false
		case op.status == "deleted":
			l.list = slices.Delete(l.list, at, at+1)
		default:
			if op.status != "" {
				l.list[at].todo.Status = todoStatus(op.status)
			}
			if op.subject != "" {
				l.list[at].todo.Text = op.subject
			}
		}
	}
	l.begun = true
	if !l.whole {
		return
	}
	t.Kind, t.Todos = recap.ToolTodo, make([]recap.Todo, 0, len(l.list))
	for _, x := range l.list {
		t.Todos = append(t.Todos, x.todo)
	}
}
