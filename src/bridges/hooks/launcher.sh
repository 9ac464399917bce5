#!/bin/sh
# Called by an agent's hooks and status line in place of Node: NODE BIN hook|statusline OPTION...
# Starts Node, as a direct call would, unless Node has left word that nothing can have to be said (aside/silent) or what the
# line is (aside/lines). Then an event is put aside whole (aside/events), and a line is printed. Only the shell's own commands
# and one "cat": each further process would cost as much as all the rest. Nothing in an event is ever taken as a command.
umask 077
# Tells Node that it is worth while to leave word.
export HEADWAY_LAUNCHER=1
node=$1 bin=$2
shift 2

direct() {
  exec "$node" "$bin" "$@"
}

# The event has been read, so that Node finds all of it and then its end.
speak() {
  HEADWAY_LAUNCHER=whole
  printf '%s' "$event" | "$node" "$bin" "$@"
  exit
}

home=${HEADWAY_HOME-}
[ -n "$home" ] || home=${HOME:+$HOME/.headway}
isHome=
for word do
  if [ -n "$isHome" ]; then
    home=$word isHome=
    continue
  fi
  case $word in
    --home) isHome=1 ;;
    --home=*) home=${word#--home=} ;;
    --profile* | --let-stop | --gate) ;;
    -*) direct "$@" ;;
  esac
done

aside=$home/aside
case $home in /*) ;; *) direct "$@" ;; esac
[ -z "${HEADWAY_STORE-}" ] && [ -d "$aside/silent" ] && [ -O "$aside" ] && [ ! -L "$aside" ] && [ -x /bin/cat ] &&
  [ ! -t 0 ] || direct "$@"
case ${2-} in -*) direct "$@" ;; esac

event=$(/bin/cat 2>/dev/null)

# What is looked for stands at the beginning. Only there: some shells take a minute to look through a megabyte.
[ ${#event} -le 262144 ] || speak "$@"
head=$(printf '%.2048s' "$event")

# The names of files are the ids, where those are made of plain letters; any other event is Node's.
case $head in
  '{"session_id":"'*) session=${head#'{"session_id":"'} ;;
  *) [ "$1" = statusline ] && session=${head#*\"session_id\":\"} || speak "$@" ;;
esac
session=${session%%\"*}
case $session in '' | *[!A-Za-z0-9_-]* | *agent*) speak "$@" ;; esac

if [ "$1" = statusline ]; then
  [ -z "${HEADWAY_SESSION-}" ] && [ ! -t 1 ] || speak "$@"
  line=$aside/lines/$session-agent-main
  # The line counts until the time its file bears, which lies ahead; a file written now tells what time it is.
  clock=$aside/now
  [ ! -L "$clock" ] && { [ -f "$clock" ] || [ ! -e "$clock" ]; } || speak "$@"
  [ -f "$line" ] && [ -e "$aside/silent/$session-agent-main" ] || speak "$@"
  printf 1 2>/dev/null >"$clock" && [ "$line" -nt "$clock" ] || speak "$@"
  { read -r version width && IFS= read -r text; } 2>/dev/null <"$line" || speak "$@"
  [ "$version $width" = "headway-1 ${COLUMNS:-80}" ] || speak "$@"
  [ -z "$text" ] || printf '%s\n' "$text"
  exit 0
fi

case $head in *\"tool_input\"*) head=${head%%\"tool_input\"*} ;; *) speak "$@" ;; esac
agent=main
case $head in
  *\"agent_id\":\"*) agent=${head#*\"agent_id\":\"} agent=${agent%%\"*} ;;
  *\"agent_id\"*) speak "$@" ;;
esac
case $agent in '' | *[!A-Za-z0-9_-]* | *agent*) speak "$@" ;; esac
case $agent$head in main*\"agent_id\"*) speak "$@" ;; esac
plan=$session-agent-$agent
ticket=$aside/silent/$plan

# Which events, at most how many, as long as which journal is as it was, and not those of which tools.
[ -f "$ticket" ] && {
  read -r version most kind && IFS= read -r journal && IFS= read -r flag && read -r moment && read -r tools
} 2>/dev/null <"$ticket" || speak "$@"
[ "$version" = headway-1 ] && [ -e "$flag" ] || speak "$@"
case $kind in
  plan) [ -f "$journal" ] && [ ! "$journal" -nt "$ticket" ] || speak "$@" ;;
  none) [ ! -e "$journal" ] || speak "$@" ;;
  *) speak "$@" ;;
esac
case $head in *"\"hook_event_name\":\"$moment\""*) ;; *) speak "$@" ;; esac
tool=${head#*\"tool_name\":\"} tool=${tool%%\"*}
case $tool in '' | *[!A-Za-z0-9_.-]* | *headway* | todo) speak "$@" ;; esac
case " $tools " in *" $tool "*) speak "$@" ;; esac

# Of a session without a plan there is nothing to count.
[ "$kind" = plan ] || exit 0

case $PWD in *'
'*) speak "$@" ;; esac
set -C
number=1
while [ "$number" -le "$most" ]; do
  file=$aside/events/$plan.$number
  if [ ! -e "$file" ] && [ ! -L "$file" ] && { command exec 3>"$file"; } 2>/dev/null; then
    # The last line says that the event is whole.
    printf '%s\n' "$2" "$PWD" "$event" end 2>/dev/null >&3 && exit 0
    exec 3>&-
    speak "$@"
  fi
  number=$((number + 1))
done
speak "$@"
