# Answers --help with the comment at the head of a script, and refuses options that its usage doesn't name, before the
# script does anything. The usage is the paragraph of that comment which names the script.
#
# A script has it read first: . "$(dirname "$0")/lib/usage.sh"
# With passes_on=1 only the first argument is looked at: the others are those of another program.

usage_text=$(sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0")
usage_options=$(printf '%s\n' "$usage_text" | awk -v RS= -v name="/${0##*/}" 'index($0, name)' |
    sed 's/`[^`]*`//g' | grep -oE -- '--[a-z][a-z-]*' | tr '\n' ' ' || true)
for usage_argument; do
    case $usage_argument in
        -h | --help)
            printf '%s\n' "$usage_text"
            exit 0
            ;;
        -?*)
            case " $usage_options" in
                *" ${usage_argument%%=*} "*) ;;
                *)
                    printf '%s: unknown option %s\n\n%s\n' "$0" "$usage_argument" "$usage_text" >&2
                    exit 64
                    ;;
            esac
            ;;
    esac
    [ -z "${passes_on:-}" ] || break
done
